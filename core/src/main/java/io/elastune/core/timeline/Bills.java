package io.elastune.core.timeline;

/** What instances cost, and which phase or group of a search pays for it. */
public interface Bills {
  /** No bills. */
  Bills NONE =
      new Bills() {
        @Override
        public void requested(Instance instance) {
          // It costs nothing.
        }

        @Override
        public void bootFailed(Instance instance) {
          // It costs nothing.
        }

        @Override
        public void attribute(Instance instance, int phase, double fromS, double toS) {
          // It costs nothing.
        }

        @Override
        public void released(Instance instance, int phase, double fromS) {
          // It costs nothing.
        }
      };

  /** Records the request of an instance. */
  void requested(Instance instance);

  /** Bills an instance whose boot fails now; another one takes its place and number. */
  void bootFailed(Instance instance);

  /**
   * Attributes the cost of an instance that is held to a phase that ends.
   *
   * @param fromS when the phase began
   * @param toS when it ends
   */
  void attribute(Instance instance, int phase, double fromS, double toS);

  /**
   * Bills an instance that is released or lost.
   *
   * @param phase the phase in which this happens
   * @param fromS when it began
   */
  void released(Instance instance, int phase, double fromS);
}
