package io.elastune.executor.decision.model;

/**
 * The GPU slot of one worker.
 *
 * @param lease the instance
 * @param gpu the GPU (on {@code local} the slot) on it, from 0
 */
public record GpuSlot(String lease, int gpu) {}
