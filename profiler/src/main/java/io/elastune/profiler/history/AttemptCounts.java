package io.elastune.profiler.history;

/**
 * The attempts of a run on one offer.
 *
 * @param ended attempts whose exit code is known
 * @param failed those of them with an exit code of an error
 * @param exposureS their seconds
 */
public record AttemptCounts(String offer, int ended, int failed, double exposureS) {}
