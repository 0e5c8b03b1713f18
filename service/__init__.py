"""The use cases of Wonderlog and their faces: HTTP, command line."""
