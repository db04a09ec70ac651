"""Parts of Retrieve-Rewrite-Answer: the predictor of relation paths, samples of reasoning paths, and their forms."""
