package io.elastune.core.search;

/** The immutable state of a search algorithm. */
public interface SearchState {}
