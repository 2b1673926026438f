/**
 * The startup script of a node, which installs the dead-man timer, runs the setup and reports the
 * result.
 */
@NullMarked
package io.elastune.provisioner.gcp.node;

import org.jspecify.annotations.NullMarked;
