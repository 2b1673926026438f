package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Problem;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.world.Faults;

/**
 * What is rehearsed.
 *
 * @param definition what the core decides by
 * @param problem the offers and profiles by which the world goes
 * @param keep checkpoints that are kept of each trial
 * @param faults what goes wrong
 */
public record RehearsedJob(RunDefinition definition, Problem problem, int keep, Faults faults) {}
