"""Elastune: hyperparameter tuning on rented GPUs under a deadline and a budget."""
