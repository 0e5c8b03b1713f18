"""The REST face of the use cases: routes, errors as problem+json, the OpenAPI document."""
