package io.elastune.executor.simulation;

import io.elastune.provisioner.LeaseRequest;

/** Supplies the queueing and boot times of simulated instances without faults. */
public interface ProvisioningDelays {
  /** Returns times drawn for each lease from the spreads of its offer. */
  static ProvisioningDelays drawn(RandomStream randomStream) {
    return new ProvisioningDelays() {
      @Override
      public double queueS(LeaseRequest request) {
        return randomStream
            .substream(LeaseStreams.name(request))
            .substream("queue")
            .of(request.offer().queueS());
      }

      @Override
      public double bootS(LeaseRequest request) {
        return randomStream
            .substream(LeaseStreams.name(request))
            .substream("boot")
            .of(request.offer().bootS());
      }
    };
  }

  /**
   * Returns the seconds from the request to the running state, in which billing starts. Called once
   * per lease.
   */
  double queueS(LeaseRequest request);

  /** Returns the seconds from running to ready. Called once per lease. */
  double bootS(LeaseRequest request);
}
