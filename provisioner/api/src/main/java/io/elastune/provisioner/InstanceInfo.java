package io.elastune.provisioner;

/**
 * An instance as the cloud lists it.
 *
 * @param id the cloud's name for it
 * @param lease from its tags
 * @param state in the cloud's own words; never "terminated"
 */
public record InstanceInfo(String id, String lease, String state) {}
