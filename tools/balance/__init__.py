"""How balanced the cards of It's a Wonderful Kingdom are, as the bot `easy` plays them against itself."""
