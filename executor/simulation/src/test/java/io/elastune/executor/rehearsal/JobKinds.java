package io.elastune.executor.rehearsal;

import io.elastune.core.plan.RungRule.Variant;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Random jobs of all kinds: each search with each policy that runs it. */
final class JobKinds {
  private static final Map<String, LongFunction<PlannedRandomJob>> KINDS = kinds();

  private JobKinds() {}

  private static Map<String, LongFunction<PlannedRandomJob>> kinds() {
    Map<String, LongFunction<PlannedRandomJob>> kinds = new LinkedHashMap<>();
    kinds.put("groups", RandomRehearsals::of);
    kinds.put("shared instances", RandomPools::of);
    kinds.put("population", PopulationRehearsalTest::job);
    kinds.put("rungs", seed -> RungFidelityTest.job(seed, Variant.PROMOTION));
    kinds.put("rungs, stopping", seed -> RungFidelityTest.job(seed, Variant.STOPPING));
    kinds.put("Fluid", RandomFluidJobs::of);
    kinds.put("rungs under Fluid", RandomFluidJobs::ofRungs);
    kinds.put("Hermes", RandomHermesJobs::of);
    kinds.put("HyperSched", RandomHyperSchedJobs::of);
    return Collections.unmodifiableMap(kinds);
  }

  /** Returns the names of the kinds. */
  static List<String> names() {
    return new ArrayList<>(KINDS.keySet());
  }

  /** Returns the name of the kind of job {@code number} in {@link #inTurn}. */
  static String name(long number) {
    return names().get((int) Math.floorMod(number - 1, (long) KINDS.size()));
  }

  /** Returns a job of a kind. */
  static PlannedRandomJob of(String kind, long seed) {
    LongFunction<PlannedRandomJob> jobs = KINDS.get(kind);
    if (jobs == null) {
      throw new IllegalArgumentException("unknown kind: " + kind);
    }
    return jobs.apply(seed);
  }

  /** Returns job {@code number}, from 1, of all kinds in turn. */
  static PlannedRandomJob inTurn(long number) {
    return of(name(number), number);
  }
}
