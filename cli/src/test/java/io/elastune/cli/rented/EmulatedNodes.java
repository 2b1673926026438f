package io.elastune.cli.rented;

import io.elastune.executor.ray.LoopbackNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Starts an {@link EmulatedNode} for each instance of a fake cloud, and ends it with it. */
public final class EmulatedNodes implements AutoCloseable {
  private static final int POLL_MS = 50;
  private static final int FIRST_ADDRESS = 10;

  private final String network = LoopbackNetwork.next();
  private final NodeCloud cloud;
  private final Path folder;
  private final IntFunction<Map<String, String>> programs;
  private final Map<String, EmulatedNode> nodes = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "emulated-nodes");
  private volatile boolean closed;
  private volatile Optional<Exception> failure = Optional.empty();

  /**
   * Starts the emulation.
   *
   * @param folder the folder of the files of all instances
   */
  public EmulatedNodes(NodeCloud cloud, Path folder) {
    this(cloud, folder, Map.of());
  }

  /**
   * Starts the emulation.
   *
   * @param folder the folder of the files of all instances
   * @param programs further programs of each instance, as lines of sh
   */
  public EmulatedNodes(NodeCloud cloud, Path folder, Map<String, String> programs) {
    this(cloud, folder, instance -> programs);
  }

  /**
   * Starts the emulation with images that differ.
   *
   * @param folder the folder of the files of all instances
   * @param programs further programs of the instance with a number, from 0, as lines of sh
   */
  public EmulatedNodes(NodeCloud cloud, Path folder, IntFunction<Map<String, String>> programs) {
    this.cloud = cloud;
    this.folder = folder;
    this.programs = programs;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      int started = 0;
      Set<String> ended = new HashSet<>();
      while (!closed) {
        List<String> leases = cloud.leases();
        for (String lease : leases) {
          if (!nodes.containsKey(lease)) {
            int number = started++;
            nodes.put(
                lease,
                new EmulatedNode(
                    cloud,
                    lease,
                    folder.resolve(lease),
                    network + (FIRST_ADDRESS + number),
                    programs.apply(number)));
          }
        }
        for (Map.Entry<String, EmulatedNode> node : nodes.entrySet()) {
          if (!leases.contains(node.getKey()) && !ended.contains(node.getKey())) {
            node.getValue().close();
            if (node.getValue().processes().isEmpty()) {
              ended.add(node.getKey()); // each search reads the environments of all processes
            }
          }
        }
        Thread.sleep(POLL_MS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  /** Returns the console output of the instance with this user data. */
  public String console(String script) {
    return report(script, EmulatedNode::consoleText);
  }

  /** Returns the guest attribute of the instance with this startup script. */
  public String guestAttribute(String script) {
    return report(script, EmulatedNode::guestAttribute);
  }

  private String report(String script, Function<EmulatedNode, String> reader) {
    return nodes.values().stream()
        .filter(node -> node.executes(script))
        .map(reader)
        .findFirst()
        .orElse("");
  }

  /** Returns the processes of all instances. */
  public List<Long> processes() {
    return nodes.values().stream().flatMap(node -> node.processes().stream()).toList();
  }

  /** Ends all instances. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    nodes.values().forEach(EmulatedNode::close);
    failure.ifPresent(
        reason -> {
          throw new IllegalStateException(reason);
        });
  }
}
