package io.elastune.executor.ray;

import io.elastune.executor.ray.link.RayLink;
import io.elastune.provisioner.process.EventLoop;
import java.util.concurrent.Executor;

/**
 * What the transfers of checkpoints need.
 *
 * @param files reads and writes files, and may block
 */
record TransferContext(RayLink link, Executor files, EventLoop loop) {}
