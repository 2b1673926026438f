/** The first boot of a node: its dead-man timer, its setup, and its report to the controller. */
@NullMarked
package io.elastune.provisioner.aws.node;

import org.jspecify.annotations.NullMarked;
