package io.elastune.executor.decision.model;

/**
 * When a sampler proposes the configurations of new trials.
 *
 * @param listed the first trials, which have configurations of their own
 * @param stopsOnError whether the run stops if there is no proposal
 * @param oneByOne whether those of a group are requested as its trials can start, so that each
 *     follows from the results before it; otherwise all of them are, when the group starts
 */
public record SamplerRule(int listed, boolean stopsOnError, boolean oneByOne) {}
