"""Language models behind the `Model` port: adapters, prices, the cache and the account of calls."""
