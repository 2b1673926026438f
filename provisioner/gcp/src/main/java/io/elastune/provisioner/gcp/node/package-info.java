/**
 * What a node is told at its first boot: its dead-man timer, its setup, and how to tell that it is
 * ready.
 */
@NullMarked
package io.elastune.provisioner.gcp.node;

import org.jspecify.annotations.NullMarked;
