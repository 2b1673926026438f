package io.elastune.provisioner;

/** Returns the lease of an event; empty for a list. */
public final class LeaseOfEvent implements CloudEvent.Visitor<String> {
  @Override
  public String running(CloudEvent.Running event) {
    return event.lease();
  }

  @Override
  public String ready(CloudEvent.Ready event) {
    return event.lease();
  }

  @Override
  public String refused(CloudEvent.Refused event) {
    return event.lease();
  }

  @Override
  public String launchFailed(CloudEvent.LaunchFailed event) {
    return event.lease();
  }

  @Override
  public String preparationFailed(CloudEvent.PreparationFailed event) {
    return event.lease();
  }

  @Override
  public String priced(CloudEvent.Priced event) {
    return event.lease();
  }

  @Override
  public String leaving(CloudEvent.Leaving event) {
    return event.lease();
  }

  @Override
  public String lost(CloudEvent.Lost event) {
    return event.lease();
  }

  @Override
  public String terminated(CloudEvent.Terminated event) {
    return event.lease();
  }

  @Override
  public String healthChanged(CloudEvent.HealthChanged event) {
    return "";
  }

  @Override
  public String listed(CloudEvent.Listed event) {
    return "";
  }
}
