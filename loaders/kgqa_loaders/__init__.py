"""Reads knowledge graphs from files and writes them into Neo4j.

:mod:`kgqa_loaders.recognise` finds the reader of a file by its content; readers yield :mod:`kgqa_loaders.records`;
:mod:`kgqa_loaders.write` writes them. The licences of known sources are in the folder's README.
"""
