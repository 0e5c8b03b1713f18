"""Webhooks by Standard Webhooks: thin notices of what happened, signed, delivered at least once."""
