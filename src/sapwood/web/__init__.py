"""A page in the browser and a JSON API, by FastAPI, uvicorn and Jinja (the extra ``web``).

`server` runs what `app` puts together: `page` for people, `api` for programs, `operating` for operators. `requests`
reads what comes in, `responses` sends what goes out, and what went wrong in the words of a request; `schemas` has the
types of both. `middleware` refuses what other sites ask. `models` runs models in worker threads; `limits` says how much
is too much.
"""
