"""The benchmark: figures that anyone can measure again, each beside a calibration loop of the same run."""
