package io.elastune.provisioner.local;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.process.OwnedProcesses;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Provides this machine as a cloud: instances are processes on its cores and GPUs. */
public final class LocalCloudProvider implements CloudProvider {
  @Override
  public String name() {
    return "local";
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return Optional.of(LocalOffers.of(MachineDevices.ofThisMachine()));
  }

  @Override
  public List<Quota> capacity(
      CloudContext context, List<Offer> offers, Map<String, Double> workerGb, boolean now) {
    if (offers.isEmpty()) {
      return List.of();
    }
    List<DeviceHold> holds = now ? DeviceHold.all(context.home()) : List.of();
    return new MachineCapacity(MachineDevices.ofThisMachine(), offers, workerGb, holds).quotas();
  }

  @Override
  public int existing(Offer offer) {
    return MachineDevices.ofThisMachine().instances(offer);
  }

  @Override
  public List<String> left(Path home, String run) {
    TerminatedInstanceStore terminated = new TerminatedInstanceStore(home);
    Stream<String> onGpus =
        new LeftGpuProcesses(home, terminated, InstantSource.system()).of(run).stream();
    Stream<String> running =
        OwnedProcesses.left(run, terminated.leasesOf(run)).stream()
            .map(process -> process + " still runs");
    return Stream.concat(onGpus, running).toList();
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    return new LocalCloud(context.home(), context.time(), events);
  }
}
