"""The companion: rules, session and command line around one table."""

import os

# NumPy reads this variable when it is imported, which is after this line. Our matrices are small: more threads wait
# for each other in busy loops, which doubles the processor time of reading labels.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
