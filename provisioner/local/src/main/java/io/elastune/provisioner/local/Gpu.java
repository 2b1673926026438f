package io.elastune.provisioner.local;

/**
 * A GPU of this machine, or a MIG device, which is a part of one.
 *
 * @param id its UUID, or the name of its device file if the UUID is unknown
 * @param index its number on this machine; MIG devices have that of their GPU
 * @param device its name in {@code CUDA_VISIBLE_DEVICES}: its number, or its UUID where numbers are
 *     ambiguous
 * @param model the name of the model
 */
record Gpu(String id, int index, String device, String model) {}
