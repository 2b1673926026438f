package io.elastune.simulator.instance;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.SampleBlocks;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The draws of the leases of a chain, for one block of samples at a time. All draws of a sample are
 * adjacent in memory, because every sample needs the draws of every lease.
 */
public final class LeaseDraws {
  private static final int NONE = -1;

  /**
   * Seconds from the first request to running: at {@link #row}, those of lease 0, then lease 1, and
   * so on.
   */
  final double[] queuingS;

  /** Seconds from running to ready, in the same layout. */
  final double[] bootingS;

  /** Factors by which training is slower than in the profile, in the same layout. */
  public final double[] slowness;

  /** The hazard until the instance is lost, in the same layout. */
  public final double[] hazards;

  /** When failed boots started and ended, in the same layout; see {@link Provisioning}. */
  final double[][] failedBoots;

  private final LeasePlan leasePlan;
  private final DrawReader[] bootFailures;
  private final DrawReader[] queues;
  private final DrawReader[] boots;
  private final DrawReader[] slownesses;
  private final DrawReader[] faults;
  private final boolean hasFaults;
  private final int samples;
  private int block = NONE;

  /**
   * @param samples maximum number of samples
   */
  public LeaseDraws(LeasePlan leasePlan, int samples) {
    this.leasePlan = leasePlan;
    this.bootFailures = readers(leasePlan, leasePlan::bootFailures);
    this.queues = readers(leasePlan, number -> leasePlan.first(number).queue());
    this.boots = readers(leasePlan, number -> leasePlan.first(number).boot());
    this.slownesses = readers(leasePlan, number -> leasePlan.first(number).slowness());
    this.hasFaults = Stream.of(leasePlan.hazards()).anyMatch(hazards -> hazards.instancePerS() > 0);
    this.faults = readers(leasePlan, leasePlan::fault);
    this.samples = samples;
    int room = leasePlan.size() * SampleBlocks.end(0, samples);
    failedBoots = new double[room][];
    Arrays.fill(failedBoots, Provisioning.NONE);
    queuingS = new double[room];
    bootingS = new double[room];
    slowness = new double[room];
    hazards = new double[room];
  }

  private static DrawReader[] readers(LeasePlan leasePlan, IntFunction<DrawTable> table) {
    return IntStream.range(0, leasePlan.size())
        .mapToObj(number -> new DrawReader(table.apply(number)))
        .toArray(DrawReader[]::new);
  }

  /** Returns when the instance is running and ready whose draws are at {@code at}. */
  public Provisioning provisioning(int at) {
    return new Provisioning(failedBoots[at], queuingS[at], bootingS[at]);
  }

  /** Returns the index of the first draw of {@code sample}; fast in ascending order. */
  public int row(int sample) {
    if (SampleBlocks.number(sample) != block) {
      block = SampleBlocks.number(sample);
      read(queues, queuingS);
      read(boots, bootingS);
      read(slownesses, slowness);
      if (hasFaults) {
        read(faults, hazards);
      }
      for (int number = 0; number < bootFailures.length; number++) {
        if (leasePlan.bootFailures(number).varies()) {
          readFailures(number);
        }
      }
    }
    return (sample - SampleBlocks.start(block)) * queues.length;
  }

  private void readFailures(int number) {
    int start = SampleBlocks.start(block);
    for (int sample = start; sample < SampleBlocks.end(block, samples); sample++) {
      int offset = bootFailures[number].offset(sample);
      int failures = (int) bootFailures[number].values()[offset];
      int at = (sample - start) * queues.length + number;
      failedBoots[at] = Provisioning.NONE;
      if (failures > 0) {
        Provisioning times =
            Provisioning.of(
                failures,
                queuingS[at],
                bootingS[at],
                leasePlan.tables(number).queue(),
                leasePlan.tables(number).boot(),
                leasePlan.reboots(sample, number));
        failedBoots[at] = times.failedBoots();
        queuingS[at] = times.queuingS();
        bootingS[at] = times.bootingS();
      }
    }
  }

  private void read(DrawReader[] readers, double[] into) {
    int start = SampleBlocks.start(block);
    int end = SampleBlocks.end(block, samples);
    for (int number = 0; number < readers.length; number++) {
      readers[number].firsts(start, end, into, number, readers.length);
    }
  }
}
