"""What every model is: loading, answers, reasons, confidences."""
