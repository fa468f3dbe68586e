"""Checks of the options that trainers share. Each error names the option, what is allowed and what was given."""

from collections.abc import Mapping

from sapwood.errors import OptionError

__all__ = [
    "check_choices",
    "check_decay",
    "check_held_out",
    "check_penalty",
    "check_shrink",
    "check_step_size",
    "check_whole_numbers",
]

_SMALLEST = 1e-200  # what a subsequence without gaps counts at least


def check_choices(options: object, choices: Mapping[str, tuple[object, ...]]) -> None:
    """Raise OptionError if an option is none of its choices, or of another type than they are."""
    for name, allowed in choices.items():
        value = getattr(options, name)
        if type(value) is not type(allowed[0]) or value not in allowed:
            raise OptionError(f"{name} is one of {', '.join(map(str, allowed))}, not {value!r}")


def check_whole_numbers(options: object, least: Mapping[str, int]) -> None:
    """Raise OptionError if an option is not a whole number from its least value to 2^32 - 1 (a seed: 2^64 - 1)."""
    for name, lowest in least.items():
        value = getattr(options, name)
        most = (1 << 64 if name == "seed" else 1 << 32) - 1
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= most:
            raise OptionError(f"{name} is a whole number from {lowest} to {most}, not {value!r}")


def check_decay(decay: object, length: int = 1) -> None:
    """Raise OptionError if a kernel's decay is none, or too small for subsequences of so many symbols."""
    if not isinstance(decay, (int, float)) or not 0 < decay <= 1:
        raise OptionError(f"decay is a number above 0, up to 1, not {decay!r}")
    if decay ** (2 * length) < _SMALLEST:
        raise OptionError(f"a decay of {decay!r} is too small for a length of {length}")


def check_step_size(update: str, gamma: object) -> None:
    """Raise OptionError if gamma is no cost, or one that the update cannot work with."""
    if not isinstance(gamma, (int, float)) or not 0 <= gamma <= 1e6:
        raise OptionError(f"gamma is a number from 0 to 1,000,000, not {gamma!r}")
    if update == "pa" and gamma == 0:
        raise OptionError("passive-aggressive updates need a gamma above 0")


def check_penalty(penalty: object, eta: object) -> None:
    """Raise OptionError if an L1 penalty or the first step of gradient descent is none."""
    if not isinstance(penalty, (int, float)) or not 0 <= penalty <= 1e6:
        raise OptionError(f"penalty is a number from 0 to 1,000,000, not {penalty!r}")
    if not isinstance(eta, (int, float)) or not 0 < eta <= 1e3:
        raise OptionError(f"eta is a number above 0, up to 1,000, not {eta!r}")


def check_shrink(shrink: object) -> None:
    """Raise OptionError if shrink is no part of a weight."""
    if not isinstance(shrink, (int, float)) or not 0 <= shrink < 1:
        raise OptionError(f"shrink is a number from 0 to less than 1, not {shrink!r}")


def check_held_out(dev: object, dev_fraction: float | None, patience: int | None) -> None:
    """Raise OptionError if the held-out data are given twice, not at all where patience needs them, or no fraction."""
    if dev is not None and dev_fraction is not None:
        raise OptionError("dev and dev_fraction exclude each other")
    if dev_fraction is not None and not 0 < dev_fraction < 1:
        raise OptionError(f"dev_fraction lies between 0 and 1, not {dev_fraction!r}")
    if patience is not None and dev is None and dev_fraction is None:
        raise OptionError("patience needs held-out data: give dev or dev_fraction")
