package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Ray cluster on loopback addresses: a head and nodes with four simulated GPUs each. Every
 * cluster of a build has addresses of its own. All its processes end with this JVM: each node is a
 * session of its own, whose shell ends it once its standard input ends.
 */
public final class RayCluster {
  /**
   * Ends its process group when its input ends: a SIGTERM first, and SIGKILL after three seconds.
   */
  private static final String GUARD =
      """
      trap '' TERM
      "$@" < /dev/null & child=$!
      cat > /dev/null
      kill -TERM $child
      for i in 1 2 3 4 5 6; do kill -0 $child 2> /dev/null || break; sleep 0.5; done
      kill -KILL 0
      """;

  /** Ray's provider of nodes that are processes of the head's machine. */
  private static final String AUTOSCALING =
      """
      {"cluster_name": "test", "max_workers": 2, "upscaling_speed": 1.0,
       "idle_timeout_minutes": 0.5,
       "provider": {"type": "fake_multinode", "gcs_address": "%s", "use_node_id_as_ip": true,
        "disable_node_updaters": true, "disable_launch_config_check": true},
       "available_node_types": {
        "head": {"resources": {"CPU": 0}, "node_config": {}, "max_workers": 0},
        "gpu": {"resources": {"CPU": 4, "GPU": 4}, "node_config": {}, "max_workers": 2}},
       "head_node_type": "head", "docker": {}, "auth": {}, "file_mounts": {},
       "cluster_synced_files": [], "file_mounts_sync_continuously": false,
       "rsync_exclude": [], "rsync_filter": [], "initialization_commands": [],
       "setup_commands": [], "head_setup_commands": [], "worker_setup_commands": [],
       "head_start_ray_commands": [], "worker_start_ray_commands": []}
      """;

  /** Marks the processes of a cluster. Agents overwrite their environment: raylets start them. */
  private static final String MARK = "ELASTUNE_TEST_CLUSTER";

  /** Whether an interpreter has Ray. Importing it takes seconds. */
  private static final Map<String, Boolean> HAVE_RAY = new ConcurrentHashMap<>();

  private static final int TIMEOUT_S = 180;
  private static final int FIRST_PORT = 20_000;
  private static final int EPHEMERAL_PORTS = 32_768;

  private final String python;
  private final Path folder;
  private final String network;
  private final int port;
  private final Map<String, String> authentication;
  private final RayProbe probe;
  private final Map<String, String> labels = new ConcurrentHashMap<>();
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private int started;
  private volatile boolean closed;
  private @Nullable Thread supervisor;

  private RayCluster(
      String python, Path folder, String network, int port, Map<String, String> authentication) {
    this.python = python;
    this.folder = folder;
    this.network = network;
    this.port = port;
    this.authentication = authentication;
    probe = new RayProbe(python, address(), authentication, folder.resolve("probe.log"));
  }

  /** Returns a Python with Ray: the one of {@code ELASTUNE_RAY_PYTHON}, or on the {@code PATH}. */
  public static Optional<String> python() {
    String given = System.getenv().getOrDefault("ELASTUNE_RAY_PYTHON", "python3");
    return HAVE_RAY.computeIfAbsent(given, RayCluster::hasRay)
        ? Optional.of(given)
        : Optional.empty();
  }

  private static boolean hasRay(String python) {
    try {
      return new ProcessBuilder(python, "-c", "import ray; assert ray.__version__ >= '2.5'")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts a head, and a node for each of the leases. */
  public static RayCluster start(String python, List<String> leases) throws Exception {
    return start(python, leases, Map.of("RAY_AUTH_MODE", "disabled"));
  }

  /** Starts a cluster that requires a token. */
  public static RayCluster startWithToken(String python, List<String> leases, String token)
      throws Exception {
    return start(python, leases, Map.of("RAY_AUTH_MODE", "token", "RAY_AUTH_TOKEN", token));
  }

  /**
   * Starts a head, and Ray's own autoscaler, which adds up to two nodes with four GPUs each at the
   * address of this machine while requests are pending.
   */
  public static RayCluster startWithAutoscaler(String python) throws Exception {
    RayCluster cluster = create(python, Map.of("RAY_AUTH_MODE", "disabled"));
    Path types = cluster.folder.resolve("autoscaling.json");
    Files.writeString(types, AUTOSCALING.formatted(cluster.address()));
    cluster.startHead(List.of("--autoscaling-config=" + types));
    cluster.awaitHead();
    cluster.awaitNodes();
    return cluster;
  }

  private static RayCluster create(String python, Map<String, String> authentication)
      throws IOException {
    // Ray's sockets are in this folder, and their paths must be short.
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "er");
    String network = LoopbackNetwork.next();
    int port = freePort(network + 1);
    return new RayCluster(python, folder, network, port, authentication);
  }

  private static RayCluster start(
      String python, List<String> leases, Map<String, String> authentication) throws Exception {
    RayCluster cluster = create(python, authentication);
    cluster.startHead();
    for (int i = 0; i < leases.size(); i++) {
      cluster.labels.put(cluster.node(i + 1), leases.get(i));
    }
    cluster.awaitHead();
    for (String ip : cluster.labels.keySet()) {
      cluster.startNode(ip);
    }
    cluster.awaitNodes();
    return cluster;
  }

  /** A restarted head needs its port again: no other process must get it as an ephemeral port. */
  private static int freePort(String ip) throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, EPHEMERAL_PORTS);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getByName(ip))) {
        return free.getLocalPort();
      } catch (BindException inUse) {
        // the next one
      }
    }
  }

  public String address() {
    return head() + ":" + port;
  }

  /** Returns the address of the head. */
  String head() {
    return network + 1;
  }

  /** Returns the address of the node of the given lease, counted from 1. */
  public String node(int number) {
    return network + (number + 1);
  }

  /** Returns the settings of a bridge to this cluster; agents have their folders here. */
  public BridgeSettings bridge(Path log, String run, int epoch) {
    return new BridgeSettings(
        List.of(python),
        address(),
        agents().toString(),
        run,
        epoch,
        log,
        authentication,
        Duration.ofSeconds(60));
  }

  /** Returns the folder with the folders of all leases. */
  Path agents() {
    return folder.resolve("agents");
  }

  /** Starts the head, always with a new folder: Ray takes an earlier one for a running head. */
  void startHead() throws IOException {
    startHead(List.of("--no-monitor"));
  }

  private void startHead(List<String> more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("--head", "--port=" + port, "--num-cpus=0", "--include-dashboard=false"));
    arguments.addAll(more);
    startRay(head(), arguments);
  }

  /** Starts a node. */
  public void startNode(String ip) throws IOException {
    startRay(
        ip,
        List.of(
            "--address=" + address(),
            "--num-cpus=2",
            "--num-gpus=4",
            "--labels=elastune-lease=" + labels.get(ip)));
  }

  private synchronized void startRay(String ip, List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("setsid", "sh", "-c", GUARD, "sh", python, "-m", "ray.scripts.scripts"));
    command.addAll(List.of("start", "--block", "--node-ip-address=" + ip));
    command.addAll(arguments);
    String part = Integer.toString(started++);
    command.add("--temp-dir=" + folder.resolve(part));
    command.addAll(
        List.of(
            "--object-store-memory=80000000",
            "--include-log-monitor=false",
            "--disable-usage-stats"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve(part + ".log").toFile());
    Map<String, String> environment = builder.environment();
    environment.putAll(authentication);
    environment.put("RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S", "0");
    environment.put("RAY_raylet_liveness_self_check_interval_ms", "2000");
    environment.put("RAY_health_check_initial_delay_ms", "1000");
    environment.put("RAY_health_check_period_ms", "1000");
    environment.put("RAY_health_check_timeout_ms", "5000");
    environment.put("RAY_health_check_failure_threshold", "5");
    environment.put("RAY_FAKE_CLUSTER", "1"); // the autoscaler starts nodes on this machine
    environment.put("AUTOSCALER_UPDATE_INTERVAL_S", "1");
    environment.put("RAY_worker_niceness", "0"); // else agents wait for all other tests
    environment.put("OMP_NUM_THREADS", "1");
    environment.put(MARK, folder.toString());
    processes.put(ip, builder.start());
  }

  /**
   * Starts nodes again a second after their end, as systemd does, until the cluster is closed. The
   * head is excepted.
   */
  void supervise() {
    supervisor = new Thread(this::restartNodes, "ray-nodes");
    supervisor.setDaemon(true);
    supervisor.start();
  }

  private void restartNodes() {
    try {
      while (!closed) {
        Thread.sleep(1000);
        for (String ip : labels.keySet()) {
          restartIfEnded(ip);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("nodes are not restarted any more", e);
    }
  }

  /** The shell of a node starts Ray, and then a process that waits for the end of its input. */
  private synchronized void restartIfEnded(String ip) throws Exception {
    List<String> children =
        processes.get(ip).children().map(child -> commandLine(child.pid())).toList();
    boolean started = children.stream().anyMatch(child -> child.startsWith("cat"));
    boolean runs = children.stream().anyMatch(child -> child.contains("ray.scripts.scripts"));
    if (!closed && started && !runs) {
      kill(ip);
      startNode(ip);
    }
  }

  /** Returns the raylets, without that of the head. */
  List<ProcessHandle> raylets() {
    return labels.keySet().stream().flatMap(ip -> raylets(ip).stream()).toList();
  }

  private List<ProcessHandle> raylets(String ip) {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(pid -> ProcessTable.variable(pid, MARK).equals(Optional.of(folder.toString())))
        .filter(pid -> commandLine(pid).contains("/raylet/raylet"))
        .filter(pid -> commandLine(pid).contains("--node_ip_address=" + ip + "\0"))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  /** Returns the processes of the agents. */
  List<ProcessHandle> agentProcesses() {
    return raylets().stream()
        .flatMap(ProcessHandle::children)
        .filter(child -> commandLine(child.pid()).startsWith("ray::Agent"))
        .toList();
  }

  /** Returns the shims of the attempts on a lease. */
  List<ProcessHandle> shims(String lease) {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(pid -> commandLine(pid).contains("/" + lease + "/attempts/"))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .toList();
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // it has ended
    }
  }

  /**
   * Ends a node with all its processes and files, and starts another one in its place.
   *
   * @param lease the lease on the new node
   */
  synchronized void replace(String ip, String lease) throws Exception {
    String earlier = labels.put(ip, lease);
    lose(ip, List.of(agents().resolve(earlier)));
    startNode(ip);
  }

  /**
   * Ends a node with all its processes and files, as the end of a machine does.
   *
   * @param leases the folders of the leases on the node
   */
  public synchronized void lose(String ip, Collection<Path> leases) throws Exception {
    List<ProcessHandle> agents = raylets(ip).stream().flatMap(ProcessHandle::children).toList();
    kill(ip);
    for (ProcessHandle agent : agents) { // else it ends some time after its raylet
      agent.destroyForcibly();
      while (!commandLine(agent.pid()).isEmpty()) {
        Thread.sleep(20);
      }
    }
    for (Path folder : leases) {
      String lease = folder.getFileName().toString();
      List<ProcessHandle> left = shims(lease);
      for (; !left.isEmpty(); left = shims(lease)) {
        left.forEach(ProcessHandle::destroyForcibly);
      }
      new OwnedProcesses("ELASTUNE_LEASE", lease, Set.of()).signal(Signal.KILL);
      remove(folder);
    }
  }

  /** Stops or continues all processes of Ray on a node; trials continue in any case. */
  void signalRay(String ip, String signal) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal, "--"));
    command.add("-" + processes.get(ip).pid());
    raylets(ip).stream()
        .flatMap(ProcessHandle::children)
        .forEach(child -> command.add(Long.toString(child.pid())));
    assertThat(run(command.toArray(String[]::new))).isZero();
  }

  /** Returns the leases whose agents are on a node. */
  public List<String> leasesOn(String ip) throws Exception {
    String names =
        query(
            "','.join(a['Name'] for a in ray._private.state.actors().values()"
                + " if a['State'] == 'ALIVE' and a['Address']['IPAddress'] == '"
                + ip
                + "')");
    return names.isEmpty() ? List.of() : List.of(names.split(","));
  }

  /** Returns the address of the node of a lease. */
  String node(String lease) {
    return labels.entrySet().stream()
        .filter(node -> node.getValue().equals(lease))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** Kills all processes of a node without a warning; trials are in other process groups. */
  public synchronized void kill(String ip) throws Exception {
    Process node = processes.get(ip);
    run("kill", "-KILL", "--", "-" + node.pid());
    assertThat(node.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
  }

  /** The process of the head listens once it can answer. */
  private void awaitHead() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(head(), port), TIMEOUT_S * 1000);
        return;
      } catch (IOException e) {
        assertThat(System.nanoTime()).as("Ray starts; see %s", folder).isLessThan(end);
        Thread.sleep(50);
      }
    }
  }

  /** Waits until all nodes are in the cluster. Nodes whose Ray has ended start again. */
  public void awaitNodes() throws Exception {
    String alive = "sum(n['Alive'] for n in ray.nodes()) == " + (1 + labels.size());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    while (!comesTrue(alive, 5)) {
      assertThat(System.nanoTime()).as("Ray starts; see %s", folder).isLessThan(end);
      for (String ip : labels.keySet()) {
        restartIfEnded(ip); // under load: Ray ends a node that has not joined within 30 s
      }
    }
  }

  /**
   * Waits until so many GPUs are held by no user of the cluster. The head learns some time after
   * the end of an actor that its node has them free.
   */
  public void awaitFreeGpus(int count) throws IOException {
    String free = "int(ray.available_resources().get('GPU', 0))";
    boolean isFree = comesTrue(free + " == " + count, 30);
    assertThat(isFree).as("%d GPUs are free, of %s", count, query(free)).isTrue();
  }

  /** Returns whether a Python expression is true within some seconds. */
  private boolean comesTrue(String expression, int seconds) throws IOException {
    String polls = "any(%s or time.sleep(0.1) for _ in range(%d))";
    return query(polls.formatted(expression, 10 * seconds)).equals("True");
  }

  /** Announces the end of a node, as a cluster manager does before it ends one. */
  public void drain(String ip) throws Exception {
    String node =
        query(
            "next(n['NodeID'] for n in ray.nodes() if n['Alive'] and n['NodeManagerAddress'] == '"
                + ip
                + "')");
    int exit =
        run(
            python,
            "-m",
            "ray.scripts.scripts",
            "drain-node",
            "--address=" + address(),
            "--node-id=" + node,
            "--reason=DRAIN_NODE_REASON_PREEMPTION",
            "--reason-message=a test",
            "--deadline-remaining-seconds=30");
    assertThat(exit).as(Files.readString(folder.resolve("command.log"))).isZero();
  }

  /** Returns the value of a Python expression in a driver of the cluster. */
  public String query(String expression) throws IOException {
    return probe.evaluate(expression);
  }

  private int run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("command.log").toFile());
    builder.environment().putAll(authentication);
    return builder.start().waitFor();
  }

  /** Ends all nodes and removes their files. */
  public void close() throws IOException, InterruptedException {
    closed = true;
    if (supervisor != null) {
      supervisor.join();
    }
    probe.close();
    for (Process process : processes.values()) {
      process.getOutputStream().close();
    }
    for (Process process : processes.values()) {
      assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
    }
    remove(folder);
  }

  /** Processes that are ending may write and delete files meanwhile. */
  private static void remove(Path removed) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    while (Files.exists(removed)) {
      try (Stream<Path> files = Files.walk(removed)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UncheckedIOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(50);
      }
    }
  }
}
