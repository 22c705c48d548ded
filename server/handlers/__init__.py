"""One file per request or notification.  Handlers read the session and change nothing else."""
