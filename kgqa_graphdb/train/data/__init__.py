"""What is trained on: mined pairs, composed questions, and what is made of both; whatever is trained."""
