package io.elastune.core.timeline;

/** When instances run and are ready, by {@link Instance#boots}, and how slow they are. */
public interface InstanceTimes {
  /** Sets the times of an instance that is requested now. */
  void request(Instance instance, double nowS);

  /** Sets the times of an instance that is requested now in the place of one that is lost. */
  default void replace(Instance instance, Instance lost, double nowS) {
    request(instance, nowS);
  }

  /** Sets the times of the instance that takes the place of one whose boot has failed. */
  default void reboot(Instance instance) {
    throw new IllegalStateException("no boot fails");
  }

  /** Returns the times of instances of average speed that are ready at given times. */
  static InstanceTimes readyAt(double[] readyS) {
    return (instance, nowS) -> instance.boots(nowS, readyS[instance.number()], false);
  }
}
