package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The parameters of Fluid (docs/searches.md, "Fluid"; Fluid, MLSys 2021).
 *
 * @param isDynamic whether running trials change their width when GPUs are free
 * @param sizes the GPUs that a trial with whole GPUs may have, at most the size with the highest
 *     throughput
 * @param share the most trials that share a GPU; 1 if none do
 * @param resizeS seconds that a change of width costs: a checkpoint and a start-up
 */
public record FluidRule(boolean isDynamic, NavigableSet<Integer> sizes, int share, double resizeS) {
  public FluidRule {
    sizes = Collections.unmodifiableNavigableSet(new TreeSet<>(sizes));
    Preconditions.that(!sizes.isEmpty(), "a trial must be allowed at least one number of GPUs");
    Preconditions.atLeast("size", 1, sizes.first());
    Preconditions.atLeast("share", 1, share);
    Preconditions.notNegative("resize_cost", resizeS);
  }
}
