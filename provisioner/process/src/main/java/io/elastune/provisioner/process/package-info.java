/**
 * Event loop, folders of local instances, and search and termination of processes by a variable in
 * their environment.
 */
@NullMarked
package io.elastune.provisioner.process;

import org.jspecify.annotations.NullMarked;
