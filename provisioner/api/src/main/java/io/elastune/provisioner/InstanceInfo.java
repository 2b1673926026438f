package io.elastune.provisioner;

/**
 * An instance as the cloud lists it.
 *
 * @param id the cloud's id of the instance
 * @param lease the lease in its tags
 * @param state the state as the cloud names it; never "terminated"
 */
public record InstanceInfo(String id, String lease, String state) {}
