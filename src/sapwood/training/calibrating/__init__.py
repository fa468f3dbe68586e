"""Fitting confidences on data that training did not see."""
