"""What training shares: options, epochs, events, cross-validation, calibration."""
