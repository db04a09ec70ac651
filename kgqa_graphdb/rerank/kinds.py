def question_kind(text, language):
    return "other"
