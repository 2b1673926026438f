/**
 * Event loop, folders of local instances, command lines and output of processes, and their search
 * and termination by a variable in their environment.
 */
@NullMarked
package io.elastune.provisioner.process;

import org.jspecify.annotations.NullMarked;
