"""Pure analysis: a manuscript goes in, findings come out.  No network, no clock, no environment, no LSP."""
