package io.elastune.executor.sampler;

import java.util.List;

/** Proposes configurations from the results of trials. */
public interface ConfigurationSampler extends AutoCloseable {
  /**
   * Returns {@code count} configurations as JSON, with the types of the search space. Blocks, at
   * most for two timeouts and the starts of two processes.
   *
   * @throws SamplerException if there is no usable answer
   * @throws InterruptedException if the run ended before the answer
   */
  List<String> propose(SamplerRequest request) throws SamplerException, InterruptedException;

  @Override
  void close();
}
