"""What is kept beside the log: facts that the user notes, tags that rules set, and what is made of them."""
