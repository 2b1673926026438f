package io.elastune.executor.decision.model;

/**
 * When a sampler proposes the configurations of new trials.
 *
 * @param listed the first trials, which have configurations of their own
 * @param stopsOnError whether the run stops if there is no proposal
 */
public record SamplerRule(int listed, boolean stopsOnError) {}
