"""Every call that leaves the process: models, embedders and engines behind one gate of retries, breaker and limits."""
