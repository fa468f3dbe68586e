"""Estimators and kernels for scikit-learn; imported on demand."""
