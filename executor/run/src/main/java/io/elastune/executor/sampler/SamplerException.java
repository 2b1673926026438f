package io.elastune.executor.sampler;

/** The sampler gave no usable answer; the message says why. */
public final class SamplerException extends Exception {
  private static final long serialVersionUID = 1;

  SamplerException(String message) {
    super(message);
  }
}
