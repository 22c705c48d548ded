"""Small tables that matching needs: nicknames and venue names.  They were written for this project."""
