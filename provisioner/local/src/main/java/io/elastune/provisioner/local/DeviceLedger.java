package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns this machine's cores and GPUs to instances, so that no two runs of one home use the same
 * ones. Controllers assign one after the other, under a lock file. A GPU that a process of an ended
 * instance still uses is not assigned.
 */
final class DeviceLedger {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLedger.class);

  /** File locks belong to the process: they do not exclude its own threads. */
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  private final Path home;
  private final MachineDevices machine;
  private final LeftGpuProcesses left;
  private boolean warned;

  DeviceLedger(Path home, MachineDevices machine, LeftGpuProcesses left) {
    this.home = home;
    this.machine = machine;
    this.left = left;
  }

  /** Starts the process by whose life a hold is valid. */
  interface Start {
    void run() throws IOException;
  }

  /**
   * Assigns devices to an instance, and starts it.
   *
   * @param start starts the guard of the instance
   * @throws DeviceShortageException if not enough is free; nothing is started
   */
  DeviceAssignment assign(InstanceFolder folder, String run, Offer offer, Start start)
      throws IOException, DeviceShortageException {
    IN_PROCESS.lock();
    try (FileChannel file =
        FileChannel.open(
            PrivateFiles.createFile(home.resolve("local.lock")), StandardOpenOption.WRITE)) {
      var unused = file.lock(); // until the file is closed
      List<DeviceHold> holds = new ArrayList<>(DeviceHold.all(home));
      if (machine.usesGpus(offer)) {
        holds.addAll(left.find(holds));
      }
      DeviceAssignment assignment = DeviceAssignment.of(machine, offer, run, holds);
      assignment.hold(run).store(folder);
      start.run();
      left.assigned(folder, run, assignment.hold(run).gpus());
      warn(assignment);
      return assignment;
    } finally {
      IN_PROCESS.unlock();
    }
  }

  private void warn(DeviceAssignment assignment) {
    if (assignment.sharesCores() && !warned) {
      warned = true;
      LOG.warn(
          "Instances need more than the {} cores of this machine: they share cores and run slower",
          machine.cores().size());
    }
  }
}
