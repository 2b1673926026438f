package io.elastune.simulator;

import java.util.List;

/**
 * The draws of the leases of a chain, for one block of samples at a time. All draws of a sample are
 * adjacent in memory, because every sample needs the draws of every lease.
 */
final class LeaseDraws {
  private static final int NONE = -1;

  /**
   * Seconds from request to running: at {@link #row}, those of lease 0, then lease 1, and so on.
   */
  final double[] queuingS;

  /** Seconds from running to ready, in the same layout. */
  final double[] bootingS;

  /** Factors by which training is slower than in the profile, in the same layout. */
  final double[] slowness;

  private final DrawReader[] queues;
  private final DrawReader[] boots;
  private final DrawReader[] slownesses;
  private final int samples;
  private int block = NONE;

  /**
   * @param samples maximum number of samples
   */
  LeaseDraws(
      List<DrawTable> queues, List<DrawTable> boots, List<DrawTable> slownesses, int samples) {
    this.queues = readers(queues);
    this.boots = readers(boots);
    this.slownesses = readers(slownesses);
    this.samples = samples;
    int room = queues.size() * SampleBlocks.end(0, samples);
    queuingS = new double[room];
    bootingS = new double[room];
    slowness = new double[room];
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  /** Returns the index of the first draw of {@code sample}; fast in ascending order. */
  int row(int sample) {
    if (SampleBlocks.number(sample) != block) {
      block = SampleBlocks.number(sample);
      read(queues, queuingS);
      read(boots, bootingS);
      read(slownesses, slowness);
    }
    return (sample - SampleBlocks.start(block)) * queues.length;
  }

  private void read(DrawReader[] readers, double[] into) {
    int start = SampleBlocks.start(block);
    int end = SampleBlocks.end(block, samples);
    for (int number = 0; number < readers.length; number++) {
      readers[number].firsts(start, end, into, number, readers.length);
    }
  }
}
