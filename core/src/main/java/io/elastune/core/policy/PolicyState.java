package io.elastune.core.policy;

/** The immutable state of a scheduling policy. */
public interface PolicyState {}
