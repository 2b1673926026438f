/**
 * Our own Compute Engine: a small, truthful one over HTTP, with every fault that the real one has,
 * and held to the published description of the real one.
 */
@NullMarked
package io.elastune.provisioner.gcp.fake;

import org.jspecify.annotations.NullMarked;
