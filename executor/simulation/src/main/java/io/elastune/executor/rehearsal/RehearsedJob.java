package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.simulation.FaultRates;

/**
 * The input of a rehearsal: a job, its simulated environment, and the faults.
 *
 * @param definition the input of the decision core
 * @param problem the offers and profiles of the simulated environment
 * @param keep the number of checkpoints to keep per trial
 * @param faults the fault rates
 */
public record RehearsedJob(
    RunDefinition definition, Problem problem, int keep, FaultRates faults) {}
