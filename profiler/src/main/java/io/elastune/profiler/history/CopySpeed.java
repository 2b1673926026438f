package io.elastune.profiler.history;

/**
 * How fast the GPUs of one instance copied their memory when it was new.
 *
 * @param offer the name of its offer
 * @param copyGbPerS the GB per second that its slowest GPU read and wrote
 */
public record CopySpeed(String offer, double copyGbPerS) {}
