package io.elastune.provisioner.remote;

/**
 * The rate limits of the calls to one cloud. Two of them may be the same object, if the cloud
 * counts these calls together.
 *
 * @param launches limits the calls that create instances
 * @param changes limits all other calls that change resources
 * @param reads limits the calls that read a single resource
 */
public record CallLimits(RateLimit launches, RateLimit changes, RateLimit reads) {}
