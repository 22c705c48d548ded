"""The faces: command line, language server, reports.  The only package that knows LSP, argv, threads, clocks and disks."""
